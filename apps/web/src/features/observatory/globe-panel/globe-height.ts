/** Of the globe's frame, in CSS pixels; the classes around it say the same. */
export const globeHeightPx = 460
