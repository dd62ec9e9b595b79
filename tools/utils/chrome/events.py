"""What the scanners of documents have in common."""


class Unreadable(Exception):
    """The text is not what the scanner reads; document is the index of the document, where known."""

    def __init__(self, text, document=None):
        super().__init__(text)
        self.document = document


class Events:
    """The events of one array. Iterating goes through the text: once, and before the next member."""

    def __init__(self, iterator):
        self.iterator = iterator

    def __iter__(self):
        return self.iterator


class Event(list):
    """The tokens of an event. broken: why it cannot be read, or None."""

    broken = None
