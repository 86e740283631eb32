/** Where the folders of a build go; the browser tests make builds of their own elsewhere. */
export const buildDir = process.env['ASTROPELAGO_BUILD_DIR'] ?? import.meta.dirname
