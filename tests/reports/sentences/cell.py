"""A cell of a table as it must be."""


class Cell(str):
    """`word` stands under the text or behind it; `value` is the whole number of a rounded one; `fits` judges a text that may be written in
    several ways."""

    word, value, fits = "", None, None

    @classmethod
    def of(cls, text, value=None, word="", fits=None):
        cell = cls(text)
        cell.value, cell.word, cell.fits = value, word, fits
        return cell
