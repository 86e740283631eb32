import { expect, onTestFinished, test } from 'vitest'
import { makePicture } from '../../test/api-avatars.ts'
import { AvatarPictures } from './avatars-routes.ts'

test('AV4 with eight pictures waiting, the next one is refused for now', async () => {
  const pictures = new AvatarPictures()
  onTestFinished(() => pictures.close())
  const file = await makePicture()
  for (let at = 0; at < 8; at += 1) void pictures.draw(file)
  await expect(pictures.draw(file)).rejects.toMatchObject({ code: 'overloaded', retryAfterS: 10 })
})
