"""What an answer says to a question that wants yes or no: outright, by its words or by a statement."""
