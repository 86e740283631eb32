/** Redraws uploaded pictures on its own thread: one takes up to a second, which heartbeats must not wait. */
import { avatarMaxPixels } from '@astropelago/contract/limits'
import { parentPort } from 'node:worker_threads'
import sharp from 'sharp'
import * as v from 'valibot'

const sizePx = 256
/** A normal picture takes a tenth of this. */
const timeoutS = 10

// The library reads many more formats. Untrusted uploads reach only these three decoders.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'],
})
// sharp works on Node's thread pool, which password hashes need too. It uses one thread at a time.
sharp.concurrency(1)
sharp.cache(false)

const Bytes = v.instance(Uint8Array)

async function draw(bytes: Uint8Array) {
  try {
    const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
    if (width * height > avatarMaxPixels) return { refusal: 'avatar_pixels', reason: 'its header' }
    const image = await sharp(bytes, {
      limitInputPixels: avatarMaxPixels,
      failOn: 'warning',
      autoOrient: true,
    })
      .resize(sizePx, sizePx, { fit: 'cover' })
      .timeout({ seconds: timeoutS })
      .webp()
      .toBuffer()
    return { image: Uint8Array.from(image) }
  } catch (error) {
    return { refusal: 'avatar_broken', reason: String(error) }
  }
}

parentPort?.on('message', (message: unknown) => {
  void draw(v.parse(Bytes, message)).then((drawn) => parentPort?.postMessage(drawn))
})
