"""What an answer lists: the block that the question asks for, and the items in it."""
