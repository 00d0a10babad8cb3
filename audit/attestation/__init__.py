"""Evidence packs: a result with what it rests on, for somebody who has none of our code."""
