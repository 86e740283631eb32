/** Draws uploaded pictures anew, on a thread of its own: one takes up to a second, and no heartbeat may wait so long. */
import { avatarMaxPixels } from '@astropelago/contract/limits'
import { parentPort } from 'node:worker_threads'
import sharp from 'sharp'
import * as v from 'valibot'

const sizePx = 256
/** An honest picture takes a tenth of this. */
const timeoutS = 10

// The library reads many more formats. What strangers send reaches the readers of these three alone.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'],
})
// It works on the threads of Node's pool, which passwords need too: it takes one of them at a time.
sharp.concurrency(1)
sharp.cache(false)

const Bytes = v.instance(Uint8Array)

/** Upright, the first frame alone, cut to a square, and without what a camera wrote into it. */
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
