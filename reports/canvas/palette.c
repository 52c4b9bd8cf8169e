#include "palette.h"

const struct shade palette[COLOURS] = {
    [COLOUR_MAIN] = {"main", "#33658a", "#5393c2"},       [COLOUR_GOOD] = {"good", "#3f8f5b", "#4fa371"},
    [COLOUR_BAD] = {"bad", "#b5432f", "#d4604c"},         [COLOUR_UNKNOWN] = {"unknown", "#7a7a7a", "#9a9a9a"},
    [COLOUR_QUIET] = {"quiet", "#8c8c8c", "#7d8791"},     [COLOUR_THEORY] = {"theory", "#1b1b1b", "#f2f4f6"},
    [COLOUR_MODEL] = {"model", "#2f8f46", "#56c271"},     [COLOUR_SECOND] = {"second", "#d17a00", "#ffbe5c"},
    [COLOUR_HUE] = {"one", "#0072b2", "#56b4e9"},         [COLOUR_HUE + 1] = {"two", "#c85000", "#ff9a52"},
    [COLOUR_HUE + 2] = {"three", "#00805e", "#2fc79a"},   [COLOUR_HUE + 3] = {"four", "#a8467f", "#e89ac6"},
    [COLOUR_HUE + 4] = {"five", "#8f7200", "#e3c53f"},    [COLOUR_HUE + 5] = {"six", "#4a3aa7", "#b3a7f7"},
    [COLOUR_HUE + 6] = {"seven", "#1d2329", "#e4e8ec"},   [COLOUR_INK] = {"ink", "#1d2329", "#e4e8ec"},
    [COLOUR_SOFT] = {"soft", "#57606a", "#9aa5b1"},       [COLOUR_LINE] = {"axis", "#888888", "#77828d"},
    [COLOUR_GRID] = {"faint", "#e8e8e8", "#2b333b"},      [COLOUR_PAPER] = {"paper", "#ffffff", "#14181c"},
    [COLOUR_HEAT] = {"heat-1", "#deb25a", "#7a5326"},     [COLOUR_HEAT + 1] = {"heat-2", "#d99a40", "#95602a"},
    [COLOUR_HEAT + 2] = {"heat-3", "#cf7c2e", "#b3712d"}, [COLOUR_HEAT + 3] = {"heat-4", "#bf5d24", "#cf8832"},
    [COLOUR_HEAT + 4] = {"heat-5", "#a8401f", "#e6a349"}, [COLOUR_HEAT + 5] = {"heat-6", "#872618", "#f5c373"},
    [COLOUR_HEAT + 6] = {"heat-7", "#5f1010", "#ffe6ad"},
};
