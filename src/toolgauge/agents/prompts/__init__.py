"""The words that agents say to models, one short file per agent and language."""
