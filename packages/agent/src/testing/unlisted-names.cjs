/**
 * Makes folders list fewer names than find files, as on FAT, where a file with a long name also has a short one.
 * The names in UNLISTED_NAMES, separated by slashes, are in no list. Load it before a program with --require.
 */
const { promises } = require('node:fs')

const unlisted = new Set((process.env['UNLISTED_NAMES'] ?? '').split('/'))
const { readdir } = promises
Object.assign(promises, {
  /** @param {string} folder */
  readdir: async (folder) => (await readdir(folder)).filter((name) => !unlisted.has(name)),
})
