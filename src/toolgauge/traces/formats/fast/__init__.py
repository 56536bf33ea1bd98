"""The short ways by which usual lines are read: what they take, they read exactly as the full readers would."""
