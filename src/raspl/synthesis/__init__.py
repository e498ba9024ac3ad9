"""Search for the shortest RASP-L program that explains examples."""
