"""What is raised for a file that is damaged, and the bound on what reading it may take."""


class Error(Exception):
    """A file is no Heddle binary trace, or a damaged one.

    `offset` is where in the file (behind gzip, if there is any) the frame or bytes stand that are
    wrong; None where that is no one place. `cause` says what is wrong, `path` which file it is.
    """

    def __init__(self, cause, offset=None, path=None):
        super().__init__(cause, offset, path)
        self.cause, self.offset, self.path = cause, offset, path

    def __str__(self):
        where = "" if self.offset is None else f" at byte {self.offset}"
        return f"{self.path or 'trace'}{where}: {self.cause}"


class MissingLibrary(ImportError):
    """Neither a Python module nor a shared library is there for what the format needs."""


class Budget:
    """How many bytes the decoded parts of one file may take together.

    It is charged before anything is decoded, so that a small file cannot ask for much.
    """

    def __init__(self, limit):
        self.limit, self.used = limit, 0

    def charge(self, size, offset=None):
        """Count `size` bytes more; raises Error beyond the limit."""
        self.used += size
        if self.used > self.limit:
            raise Error(f"the file unpacks to more than {self.limit} bytes", offset)
