"""Private means of Kulesza, Suresh and Wang (KSW), and the swap-model mean for comparison."""
