import { frameHostsPerStatusPage } from '@astropelago/contract/limits'
import {
  type StatusPageChanges,
  type StatusPageSettings,
  updateStatusPage,
} from '@astropelago/contract/status-pages'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import * as v from 'valibot'
import ExternalLink from 'virtual:icon/external-link'
import { translateServerSentence } from '../../language/server-sentence.ts'
import { errorSentence } from '../../lib/error-sentence.ts'
import { failureText } from '../../lib/failure-text.ts'
import { readBy, type Reading } from '../../lib/forms/reading.ts'
import { useApiForm } from '../../lib/forms/use-api-form.ts'
import { ListFailure } from '../../lib/list-failure.tsx'
import { publicUrl } from '../../lib/public-url.ts'
import { useUser } from '../../lib/use-user.ts'
import { paths } from '../../paths.ts'
import { buttonStyles } from '../../ui/button-styles.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextAreaField, TextField } from '../../ui/text-field.tsx'
import { Card } from '../../ui/card.tsx'
import { useToast } from '../../ui/use-toast.ts'
import { ChosenChecks, ChosenDevices, ChosenIslands } from './chosen-subjects.tsx'
import { statusPageQuery, useChangeStatusPage } from './status-page-query.ts'

export function StatusPagePart() {
  const { isDemo } = useUser()
  const query = useQuery({ ...statusPageQuery, enabled: !isDemo })
  return (
    <>
      <Card
        title={t`Status page`}
        description={t`A page that everybody can open. It shows the status of the devices, islands and checks that you choose. Use it for a screen on the wall, or put it into another website.`}
      >
        {isDemo && <p className="text-sm text-muted">{errorSentence('demo_account')}</p>}
        {query.isLoading && <Skeleton className="h-32 w-full rounded-control" />}
        {query.data !== undefined && <Switch settings={query.data} />}
        <ListFailure query={query} of="statusPage" />
      </Card>
      {query.data !== undefined && (
        <>
          <ChosenDevices ids={query.data.devices} />
          <ChosenIslands ids={query.data.islands} />
          <ChosenChecks ids={query.data.checks} />
          <FramingForm settings={query.data} />
        </>
      )}
    </>
  )
}

function Switch({ settings: { isOn, title } }: { settings: StatusPageSettings }) {
  const { username } = useUser()
  const changing = useChangeStatusPage()
  const address = `${publicUrl()}${paths.statusPage(username)}`
  return (
    <>
      <div className="flex flex-col gap-3">
        <Checkbox
          label={t`Show my status page to everybody`}
          hint={t`The page shows your username. Of what you choose, it only shows what is public anyway.`}
          checked={isOn}
          onChange={({ target }) => changing.mutate({ isOn: target.checked })}
        />
        <FormError>{failureText(changing.error)}</FormError>
      </div>
      {isOn && (
        <div className="flex flex-col gap-3">
          <CodeBlock label={t`Address`} text={address} />
          <div>
            <a
              href={paths.statusPage(username)}
              target="_blank"
              rel="noopener"
              className={buttonStyles({ variant: 'outline', size: 'sm' })}
            >
              <ExternalLink aria-hidden />
              <Trans>Open the page</Trans>
            </a>
          </div>
        </div>
      )}
      <TitleForm title={title} username={username} />
    </>
  )
}

function TitleForm({ title, username }: { title: string | null; username: string }) {
  const showToast = useToast()
  const form = useApiForm({
    values: { title: title ?? '' },
    read: (typed) =>
      readBy(updateStatusPage.body, { title: typed.title.trim() === '' ? null : typed.title }),
    send: useChangeStatusPage().mutateAsync,
    onSent: () => showToast({ title: t`Title saved` }),
    onlyField: 'title',
  })
  return (
    <form
      {...form.wiring}
      aria-label={t`Title`}
      className="flex flex-col items-start gap-4 border-t border-line pt-5"
    >
      <TextField
        label={t`Title`}
        optional
        className="w-full max-w-md"
        hint={t`The heading of your page. If you leave it empty, the heading is ${username}.`}
        autoComplete="off"
        {...form.text('title')}
      />
      <Button type="submit" variant="outline" size="sm" busy={form.isBusy}>
        <Trans>Save title</Trans>
      </Button>
    </form>
  )
}

function FramingForm({
  settings: { isOn, frameHosts },
}: {
  settings: Pick<StatusPageSettings, 'isOn' | 'frameHosts'>
}) {
  const { username } = useUser()
  const showToast = useToast()
  const form = useApiForm({
    values: { frameHosts: frameHosts.join('\n') },
    read: (typed): Reading<StatusPageChanges> => {
      const body = { frameHosts: typed.frameHosts.split(/[\s,]+/).filter((host) => host !== '') }
      const { issues } = v.safeParse(updateStatusPage.body, body)
      return issues
        ? { problems: { frameHosts: translateServerSentence(issues[0].message) } }
        : { body }
    },
    send: useChangeStatusPage().mutateAsync,
    onSent: () => showToast({ title: t`Hosts saved` }),
    onlyField: 'frameHosts',
  })
  const frameTitle = t`Status of ${username}`
  const src = `${publicUrl()}${paths.statusPage(username)}`
  return (
    <Card
      title={t`In a frame`}
      description={t`Websites that may show your status page inside one of their pages. No other website can do that.`}
    >
      <form {...form.wiring} aria-label={t`In a frame`} className="flex flex-col items-start gap-4">
        <TextAreaField
          label={t`Hosts`}
          optional
          className="w-full"
          hint={t`One per line, at most ${frameHostsPerStatusPage}. For example: wall.example.org, *.example.org or nas.local:8080.`}
          spellCheck={false}
          autoCapitalize="none"
          {...form.text('frameHosts')}
        />
        <Button type="submit" variant="outline" size="sm" busy={form.isBusy}>
          <Trans>Save hosts</Trans>
        </Button>
      </form>
      {isOn && frameHosts.length > 0 && (
        <CodeBlock
          label={t`Paste this into the other website`}
          language="HTML"
          text={`<iframe src="${src}" title="${frameTitle}" width="100%" height="600"></iframe>`}
        />
      )}
    </Card>
  )
}
