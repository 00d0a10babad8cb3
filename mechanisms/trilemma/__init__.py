"""Private means with little or no bias, of the trilemma thesis of Regehr (TRI)."""
