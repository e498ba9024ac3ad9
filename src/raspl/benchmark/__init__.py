"""The suites that forecasts are judged on: tasks, and what came out."""
