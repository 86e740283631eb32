import type { OwnDevice } from '@astropelago/contract/devices'
import { Link } from 'react-router'
import Plus from 'virtual:icon/plus'
import Telescope from 'virtual:icon/telescope'
import { publicUrl } from '../../lib/public-url.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { buttonStyles } from '../../ui/button-styles.ts'
import { CodeBlock } from '../../ui/code-block.tsx'

interface WhatNextProps {
  device: OwnDevice
  onAddAnother: () => void
}

/** The next steps once a device is online: view it, share it, add another. */
export function WhatNext({ device, onAddAnother }: WhatNextProps) {
  const { id, link, visibility } = device
  return (
    <>
      <div className="flex flex-wrap gap-3">
        <Link to={paths.observatoryDevice(id)} className={buttonStyles()}>
          <Telescope aria-hidden />
          See it on the globe
        </Link>
        <Button variant="outline" onClick={onAddAnother}>
          <Plus aria-hidden />
          Add another
        </Button>
        <Link to={paths.device(id)} className={buttonStyles({ variant: 'outline' })}>
          See its page
        </Link>
        <Link to={paths.account()} className={buttonStyles({ variant: 'outline' })}>
          See your devices
        </Link>
      </div>
      {visibility === 'public' ? (
        <CodeBlock
          label={
            link === null ? 'Share it: its place on the globe' : 'Share it: where its link leads'
          }
          text={link ?? new URL(paths.observatoryDevice(id), publicUrl()).href}
        />
      ) : (
        <p className="text-sm text-muted">
          It is private, so only you see it. To share it, make it public on your account page.
        </p>
      )}
    </>
  )
}
