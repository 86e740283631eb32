import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeTempDir } from './open-test-storage.ts'

/** A small build of the web app, with a secret beside it that nobody may reach. */
export async function makeWebDir(): Promise<string> {
  const parent = await makeTempDir()
  const webDir = join(parent, 'dist')
  await mkdir(join(webDir, 'assets'), { recursive: true })
  await writeFile(join(parent, 'secret.txt'), 'top secret')
  await writeFile(
    join(webDir, 'index.html'),
    `<!doctype html><title>Astropelago</title>
<link rel="canonical" href="ASTROPELAGO_PUBLIC_URL/">
<script type="module" nonce="ASTROPELAGO_NONCE" src="/assets/main-abc123.js"></script>
<style nonce="ASTROPELAGO_NONCE"></style>`,
  )
  await writeFile(join(webDir, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(join(webDir, 'assets', 'main-abc123.js'), 'export {}')
  return webDir
}
