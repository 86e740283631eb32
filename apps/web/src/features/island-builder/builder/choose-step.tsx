import { templateNames } from '@astropelago/contract/hosted-pages'
import type { OwnIsland } from '@astropelago/contract/islands'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { relayQuery } from '../../../islands/relay-queries.ts'
import { useUser } from '../../../lib/use-user.ts'
import { paths } from '../../../paths.ts'
import { ErrorLine } from '../../../ui/error-line.tsx'
import { ChoiceTile, tileStyles } from '../pages/choice-tile.tsx'
import files from '../pages/pictures/files.svg'
import link from '../pages/pictures/link.svg'
import relay from '../pages/pictures/relay.svg'
import { type Choice, templates } from '../pages/template-words.ts'

export const ownFiles: Choice = {
  name: t`My own files`,
  about: t`A folder or a zip with your pages.`,
  picture: files,
}

const otherWays = {
  relay: {
    name: t`My device at home`,
    about: t`The relay leads visitors to what runs on it.`,
    picture: relay,
  },
  link: {
    name: t`A link`,
    about: t`A website or service that is there already.`,
    picture: link,
  },
} as const

interface ChooseStepProps {
  /** A draft without pages, which asks for nothing else. */
  island: OwnIsland | undefined
}

/** What the island is: each choice leads to its own next step. */
export function ChooseStep({ island }: ChooseStepProps) {
  const { isDemo } = useUser()
  const server = useQuery(relayQuery)
  const isHere = server.data === undefined || server.data.addresses !== null
  const notHere = isHere ? undefined : t`Not on this server.`
  const forRegistered = isDemo ? t`Not for demo accounts.` : undefined
  return (
    <div className="flex min-w-0 flex-col gap-8">
      {isDemo && isHere && (
        <p className="max-w-2xl text-sm text-muted">
          <Trans>
            A demo account can make one island with pages of at most 1 MB. Only you can open it, and
            it is gone after 24 hours. Register to publish islands.
          </Trans>
        </p>
      )}
      {!isHere && (
        <output className="max-w-2xl text-sm text-muted">
          <Trans>
            This server hosts no pages and has no relay. Its operator can change that. Until then,
            an island here can lead to a link.
          </Trans>
        </output>
      )}
      {server.isError && (
        <ErrorLine query={server}>
          <Trans>This page could not find out what this server can host.</Trans>
        </ErrorLine>
      )}
      <ul aria-label={t`Templates`} className="grid grid-cols-2 gap-3 sm:gap-4 md:grid-cols-3">
        {templateNames.map((name) => (
          <li key={name} className="min-w-0">
            <Tile
              choice={templates[name]}
              to={paths.newIslandAs(name, island?.id)}
              obstacle={notHere}
            />
          </li>
        ))}
      </ul>
      <section aria-labelledby="own-things" className="flex min-w-0 flex-col gap-4">
        <h3 id="own-things" className="text-lg font-semibold">
          <Trans>Or bring what you have</Trans>
        </h3>
        <ul className="grid grid-cols-2 gap-3 sm:gap-4 md:grid-cols-3">
          <li className="min-w-0">
            <Tile
              choice={ownFiles}
              to={paths.newIslandAs('files', island?.id)}
              obstacle={notHere}
            />
          </li>
          {island === undefined && (
            <>
              <li className="min-w-0">
                <Tile
                  choice={otherWays.relay}
                  to={paths.newIslandAs('relay')}
                  obstacle={notHere ?? forRegistered}
                />
              </li>
              <li className="min-w-0">
                <Tile
                  choice={otherWays.link}
                  to={paths.newIslandAs('link')}
                  obstacle={forRegistered}
                />
              </li>
            </>
          )}
        </ul>
      </section>
    </div>
  )
}

interface TileProps {
  choice: Choice
  to: string
  /** Why it can't be chosen. */
  obstacle: string | undefined
}

function Tile({ choice, to, obstacle }: TileProps) {
  if (obstacle === undefined) {
    return (
      <Link to={to} className={tileStyles}>
        <ChoiceTile choice={choice} />
      </Link>
    )
  }
  return (
    <div className="flex h-full flex-col overflow-hidden rounded-card border border-line [&_img]:opacity-35 [&_img]:grayscale">
      <ChoiceTile choice={{ ...choice, about: obstacle }} />
    </div>
  )
}
