"""The paper's results as data: what to run, which claim, which figure."""
