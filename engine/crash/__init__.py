"""What ended the program or broke inside it, kept on this machine without any text or path of the user."""
