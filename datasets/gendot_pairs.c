typedef int nothing_yet;
