/** The parent of a build's folders. Browser tests put their own builds elsewhere. */
export const buildDir = process.env['ASTROPELAGO_BUILD_DIR'] ?? import.meta.dirname
