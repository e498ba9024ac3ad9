"""What can be known of a program without running it: values, intervals, predicates, cost."""
