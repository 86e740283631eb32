import {
  handOverIsland,
  type IslandKind,
  listAllIslands,
  type OperatorIsland,
} from '@astropelago/contract/operator-islands'
import { startIslandRelay, stopIslandRelay } from '@astropelago/contract/operator-relay'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, useLocation, useSearchParams } from 'react-router'
import * as v from 'valibot'
import ArrowLeft from 'virtual:icon/arrow-left'
import SearchX from 'virtual:icon/search-x'
import TreePalm from 'virtual:icon/tree-palm'
import { DeviceLink } from '../../devices/device-link.tsx'
import { Rooms } from '../../islands/rooms/rooms.tsx'
import { call } from '../../lib/call.ts'
import { readBy } from '../../lib/forms/reading.ts'
import { useApiForm } from '../../lib/forms/use-api-form.ts'
import { LinkButton } from '../../lib/link-button.tsx'
import { paths } from '../../paths.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { verbatimInput } from '../../ui/verbatim-input.ts'
import { ActionButton, DialogButton } from './action-button.tsx'
import { AtTime } from './at-time.tsx'
import { ListFilter, SearchField, useChoiceInAddress, useSearchInAddress } from './list-filter.tsx'
import { OperatorListCard } from './operator-list-card.tsx'
import { useAfterAction, useSearchedPages } from './operator-query.ts'
import {
  HideOrShow,
  linkStyles,
  listItemStyles,
  MeasureLine,
  SubjectName,
  UserLink,
} from './subject-details.tsx'

const kinds: Readonly<Record<IslandKind, string>> = {
  listed: t`Listed`,
  unlisted: t`Not listed`,
  drafts: t`Drafts`,
  hidden: t`Hidden, or its host is off`,
}

/** All islands, or the rooms of the one in the address. */
export function Islands() {
  const [parameters] = useSearchParams()
  const islandId = parameters.get('rooms')
  return islandId === null ? <IslandList /> : <IslandRooms key={islandId} islandId={islandId} />
}

/** The list's link names the island, because no answer does. */
const LinkState = v.object({ name: v.string() })

function IslandRooms({ islandId }: { islandId: string }) {
  const { state } = useLocation()
  const { success, output } = v.safeParse(LinkState, state)
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <Link
        to={paths.mothership('islands')}
        className="inline-flex items-center gap-2 self-start text-sm text-muted no-underline transition-colors hover:text-ink"
      >
        <ArrowLeft aria-hidden className="size-4" />
        <Trans>All islands</Trans>
      </Link>
      {success && (
        <h2 className="text-title font-semibold wrap-anywhere">
          <bdi>{output.name}</bdi>
        </h2>
      )}
      <Rooms of={{ islandId, by: 'operator' }} />
    </div>
  )
}

function IslandList() {
  const { field, wanted } = useSearchInAddress()
  const only = useChoiceInAddress('only', kinds)
  const query = useSearchedPages({
    list: 'islands',
    filter: { search: wanted, only },
    fetchPage: (asked, signal) => call(listAllIslands, { query: asked, signal }),
    nextOf: ({ islands: page, hasMore }) => (hasMore ? page.at(-1)?.id : undefined),
  })
  const islands = query.data?.pages.flatMap((page) => page.islands) ?? []
  return (
    <OperatorListCard
      of={t`The islands`}
      title={t`Islands`}
      description={t`Every island, the newest first. You see what each one is and who hosts it, but not its log and its members. You can read and moderate its rooms.`}
      filters={
        <SearchField label={t`Search islands`} placeholder={t`In name, address or host`} {...field}>
          <ListFilter name="only" label={t`Show`} without={t`All of them`} choices={kinds} />
        </SearchField>
      }
      query={query}
      isEmpty={islands.length === 0}
      empty={<NoIslands isSearched={wanted !== ''} isFiltered={only !== undefined} />}
    >
      <ul aria-label={t`Islands`} className="flex flex-col">
        {islands.map((island) => (
          <IslandItem key={island.id} island={island} />
        ))}
      </ul>
    </OperatorListCard>
  )
}

function NoIslands({ isSearched, isFiltered }: { isSearched: boolean; isFiltered: boolean }) {
  if (isSearched) {
    return (
      <EmptyState icon={<SearchX aria-hidden />} title={t`No island has this name`}>
        <p>
          <Trans>Names, addresses and hosts’ usernames are searched, without regard to case.</Trans>
        </p>
      </EmptyState>
    )
  }
  if (isFiltered)
    return (
      <p className="text-sm text-muted">
        <Trans>There are none of that kind.</Trans>
      </p>
    )
  return (
    <EmptyState icon={<TreePalm aria-hidden />} title={t`There is no island yet`}>
      <p>
        <Trans>As soon as somebody makes one, you see it here, even as a draft.</Trans>
      </p>
    </EmptyState>
  )
}

function IslandItem({ island }: { island: OperatorIsland }) {
  const { name, slug, host, address, isOpen, pause } = island
  const { memberCount, createdAt, hidden, isHosted, relayStopped } = island
  return (
    <li className={`${listItemStyles} py-4`}>
      <div className="flex min-w-0 flex-1 basis-72 flex-col gap-1">
        <h3 className="text-sm font-medium wrap-anywhere">
          <bdi>{name}</bdi>
        </h3>
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
          {isForEverybody(island) ? (
            <Link to={paths.island(slug)} className={`wrap-anywhere ${linkStyles}`}>
              {slug}
            </Link>
          ) : (
            <span className="wrap-anywhere">{slug}</span>
          )}
          <Dot />
          {host === null ? (
            <span>
              <Trans>belongs to this server</Trans>
            </span>
          ) : (
            <span>
              <Trans>
                of <UserLink username={host} />
              </Trans>
            </span>
          )}
          <Dot />
          <span>{stateOf(island)}</span>
        </p>
        <p
          data-numeric
          className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted"
        >
          <span>{isOpen ? t`open` : pause === null ? t`closed` : t`paused`}</span>
          <Dot />
          <span>{plural(memberCount, { one: '# member', other: '# members' })}</span>
          <Dot />
          <span>
            <Trans>
              made <AtTime at={createdAt} />
            </Trans>
          </span>
          {isHosted && (
            <>
              <Dot />
              <span>
                <Trans>pages here</Trans>
              </span>
            </>
          )}
          {address !== null && (
            <>
              <Dot />
              <span className="flex max-w-72 min-w-0">
                <DeviceLink link={address} />
              </span>
            </>
          )}
        </p>
        <MeasureLine kind="hidden" measure={hidden} />
        <MeasureLine kind={isHosted ? 'pages-stopped' : 'relay-stopped'} measure={relayStopped} />
      </div>
      <Actions island={island} />
    </li>
  )
}

function Dot() {
  return <span aria-hidden>·</span>
}

/**
 * Access policies apply to operators too, so a link to an island that not everybody may know about would
 * lead nowhere.
 */
function isForEverybody({ publishedAt, access, isListed, hidden }: OperatorIsland): boolean {
  return publishedAt !== null && hidden === null && (access === 'public' || isListed)
}

function stateOf({ publishedAt, access, isListed }: OperatorIsland): string {
  if (publishedAt === null) return t`draft`
  const [listed, unlisted] = accessTexts[access]
  return isListed ? listed : unlisted
}

type AccessTexts = readonly [listed: string, unlisted: string]

const accessTexts: Readonly<Record<OperatorIsland['access'], AccessTexts>> = {
  public: [t`for everybody, listed`, t`for everybody, not listed`],
  members: [t`for Navigators, listed`, t`for Navigators, not listed`],
  invited: [t`for members, listed`, t`for members, not listed`],
}

function Actions({ island }: { island: OperatorIsland }) {
  const { id, name, publishedAt, hidden, relayStopped, isRelayed, isHosted } = island
  const words = isHosted ? pagesWords(name) : relayWords(name)
  return (
    <div className="flex max-w-full flex-wrap gap-2">
      <HideOrShow
        kind="island"
        id={id}
        name={name}
        isHidden={hidden !== null}
        hiding={
          <Trans>
            <SubjectName>{name}</SubjectName> disappears for everybody at once, also for its
            members. Its host keeps it, and sees that it is hidden and why.
          </Trans>
        }
        showing={
          publishedAt === null ? (
            <Trans>
              <SubjectName>{name}</SubjectName> is a draft: only its host will see it.
            </Trans>
          ) : (
            <Trans>
              <SubjectName>{name}</SubjectName> is back at once for everybody who may enter.
            </Trans>
          )
        }
      />
      {(isRelayed || isHosted) && (
        <LinkButton
          to={paths.mothership('islands', { rooms: id })}
          state={{ name } satisfies v.InferInput<typeof LinkState>}
          variant="outline"
          size="sm"
          aria-label={t`Rooms of ${name}`}
        >
          <Trans>Rooms</Trans>
        </LinkButton>
      )}
      <DialogButton
        size="sm"
        aria-label={t`Hand ${name} over`}
        renderDialog={(close) => <HandOverDialog island={island} onClose={close} />}
      >
        <Trans>Hand over</Trans>
      </DialogButton>
      {relayStopped === null && (isRelayed || isHosted) && (
        <ActionButton
          label={words.stop.label}
          name={words.stop.name}
          size="sm"
          title={words.stop.title}
          reasonLabel={t`What its host will read`}
          action={t`Stop it`}
          act={(reason) => call(stopIslandRelay, { params: { id }, body: { reason } })}
          done={words.stop.done}
        >
          <Trans>
            Visitors on <SubjectName>{name}</SubjectName> are cut off at once, and nobody can enter.
            Its page stays. Its host sees why.
          </Trans>
        </ActionButton>
      )}
      {relayStopped !== null && (
        <ActionButton
          label={words.start.label}
          name={words.start.name}
          size="sm"
          title={words.start.title}
          action={t`Start it`}
          act={() => call(startIslandRelay, { params: { id } })}
          done={words.start.done}
        >
          {isHosted ? (
            <Trans>
              <SubjectName>{name}</SubjectName> is back at once for everybody who may enter.
            </Trans>
          ) : (
            <Trans>
              <SubjectName>{name}</SubjectName> is back as soon as its device has connected again,
              which can take five minutes.
            </Trans>
          )}
        </ActionButton>
      )}
    </div>
  )
}

const relayWords = (name: string) => ({
  stop: {
    label: t`Stop relay`,
    name: t`Stop the relay of ${name}`,
    title: t`Stop its relay?`,
    done: t`The relay to ${name} is stopped`,
  },
  start: {
    label: t`Start relay`,
    name: t`Start the relay of ${name} again`,
    title: t`Start its relay again?`,
    done: t`The relay carries visitors to ${name} again`,
  },
})

const pagesWords = (name: string) => ({
  stop: {
    label: t`Stop pages`,
    name: t`Stop the pages of ${name}`,
    title: t`Stop its pages?`,
    done: t`The pages of ${name} are stopped`,
  },
  start: {
    label: t`Start pages`,
    name: t`Start the pages of ${name} again`,
    title: t`Start its pages again?`,
    done: t`Visitors see the pages of ${name} again`,
  },
})

function HandOverDialog(props: { island: OperatorIsland; onClose: () => void }) {
  const {
    island: { id, name, host },
    onClose,
  } = props
  const after = useAfterAction()
  const form = useApiForm({
    values: { host: '' },
    read: (typed) => {
      const newHost = typed.host.trim() || null
      // The island already belongs to the installation.
      const isMissing = newHost === null && host === null
      return readBy(
        handOverIsland.body,
        { host: newHost },
        { host: isMissing && t`Enter the username of its new host.` },
      )
    },
    send: (body) => call(handOverIsland, { params: { id }, body }),
    onSent: ({ name: island, host: owner }) => {
      after(owner === null ? t`${island} belongs to this server` : t`${island} belongs to ${owner}`)
      onClose()
    },
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t`Hand this island over?`}
      description={
        host === null ? (
          <Trans>
            <SubjectName>{name}</SubjectName> goes to its new host with its address, members and
            log; this server can no longer change it. The device that carried it stays with its
            owner.
          </Trans>
        ) : (
          <Trans>
            <SubjectName>{name}</SubjectName> goes to its new host with its address, members and
            log; {host} can no longer change it. The device that carried it stays with its owner.
          </Trans>
        )
      }
    >
      <form {...form.wiring} className="flex flex-col gap-6">
        <TextField
          label={t`Username of its new host`}
          hint={host === null ? undefined : t`If this stays empty, it belongs to this server.`}
          {...verbatimInput}
          maxLength={64}
          {...form.text('host')}
        />
        <FormActions form={form} submit={t`Hand it over`} isCancelFirst onCancel={onClose} />
      </form>
    </Dialog>
  )
}
