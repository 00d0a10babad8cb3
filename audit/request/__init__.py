"""What is asked for: its words, a configuration, and the plan that is made of them."""
