"""The benchmark `weather`: an assistant with two tools that look and one that writes, in English."""
