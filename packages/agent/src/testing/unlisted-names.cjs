/**
 * Has folders list fewer names than files are found by, as FAT does, where a file with a long name has a short one
 * too: those in UNLISTED_NAMES, with slashes between them, are in no list. Loaded before a program by --require.
 */
const { promises } = require('node:fs')

const unlisted = new Set((process.env['UNLISTED_NAMES'] ?? '').split('/'))
const { readdir } = promises
Object.assign(promises, {
  /** @param {string} folder */
  readdir: async (folder) => (await readdir(folder)).filter((name) => !unlisted.has(name)),
})
