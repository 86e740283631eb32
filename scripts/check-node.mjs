// Plain JavaScript, since a Node too old for this project can't read TypeScript either.
const floor = [24, 19]
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < floor[0] || (major === floor[0] && minor < floor[1])) {
  process.stderr.write(
    `Astropelago needs Node ${floor.join('.')} or newer, this is ${process.versions.node}. ` +
      'On most machines npm ci installs the right one: run it first, then npm start.\n',
  )
  process.exit(1)
}
