import type { BlockedAddress } from '@astropelago/contract/hosted-pages'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'

/** What visitors' browsers will not load, and how to mend each. */
export function BlockedAddresses({ blocked }: { blocked: readonly BlockedAddress[] }) {
  if (blocked.length === 0) return null
  return (
    <details className="min-w-0 rounded-control border border-line-strong bg-raised text-sm">
      <summary className="rounded-control px-4 py-3 font-medium text-ink">
        <Plural
          value={blocked.length}
          one="Browsers will not load # thing of these pages"
          other="Browsers will not load # things of these pages"
        />
      </summary>
      <div className="flex min-w-0 flex-col gap-3 px-4 pb-4">
        <p className="text-muted">
          <Trans>
            Pages here can only use files of their own, so that no other site learns who visits
            them.
          </Trans>
        </p>
        <ul className="flex min-w-0 flex-col gap-3">
          {blocked.map(({ path, line, address, what }) => (
            <li key={`${path} ${line} ${address}`} className="flex min-w-0 flex-col gap-0.5">
              <span className="text-ink wrap-anywhere">
                <Trans>
                  <bdi className="font-mono">{path}</bdi>, line {line}
                </Trans>
              </span>
              <span className="text-muted wrap-anywhere">
                {words[what].problem(
                  <bdi dir="ltr" className="font-mono">
                    {address}
                  </bdi>,
                )}{' '}
                {words[what].remedy}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </details>
  )
}

interface Words {
  readonly problem: (address: ReactNode) => ReactNode
  readonly remedy: string
}

const beside = (example: string) =>
  t`Put the file beside the page, and write its own name instead, such as ${example}.`

const words: Readonly<Record<BlockedAddress['what'], Words>> = {
  script: {
    problem: (address) => <Trans>The script at {address} does not run.</Trans>,
    remedy: beside('script.js'),
  },
  style: {
    problem: (address) => <Trans>The stylesheet at {address} has no effect.</Trans>,
    remedy: beside('style.css'),
  },
  picture: {
    problem: (address) => <Trans>The picture at {address} does not show.</Trans>,
    remedy: beside('picture.jpg'),
  },
  font: {
    problem: (address) => <Trans>The font at {address} does not load.</Trans>,
    remedy: beside('font.woff2'),
  },
  media: {
    problem: (address) => <Trans>The sound or film at {address} does not play.</Trans>,
    remedy: beside('film.mp4'),
  },
  frame: {
    problem: (address) => <Trans>The page at {address} does not show in its frame.</Trans>,
    remedy: t`Write a link to it instead.`,
  },
  form: {
    problem: (address) => <Trans>The form sends nothing to {address}.</Trans>,
    remedy: t`Write a link to that page instead, so that visitors fill it in there.`,
  },
  request: {
    problem: (address) => <Trans>The script can’t ask {address}.</Trans>,
    remedy: t`Put what it needs into a file beside the page, and ask for that one.`,
  },
}
