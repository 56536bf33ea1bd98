"""Which name of an answer answers a question: where names stand, what they are, and rules with weights."""
