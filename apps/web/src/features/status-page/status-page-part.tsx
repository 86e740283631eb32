import { errors } from '@astropelago/contract/errors'
import type { StatusPageSettings } from '@astropelago/contract/status-pages'
import { useQuery } from '@tanstack/react-query'
import ExternalLink from 'virtual:icon/external-link'
import { failureText } from '../../lib/failure-text.ts'
import { publicUrl } from '../../lib/public-url.ts'
import { useUser } from '../../lib/use-user.ts'
import { paths } from '../../paths.ts'
import { buttonStyles } from '../../ui/button-styles.ts'
import { Card, CardHeader } from '../../ui/card.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ListFailure } from '../../lib/list-failure.tsx'
import { ChosenDevices, ChosenIslands } from './chosen-things.tsx'
import { FramingForm } from './framing-form.tsx'
import { statusPageQuery, useChangeStatusPage } from './status-page-query.ts'
import { TitleForm } from './title-form.tsx'

const headingId = 'status-page-heading'

/** The settings of the user's public status page. */
export function StatusPagePart() {
  const { isDemo } = useUser()
  const query = useQuery({ ...statusPageQuery, enabled: !isDemo })
  return (
    <>
      <Card aria-labelledby={headingId}>
        <CardHeader
          id={headingId}
          title="Status page"
          description="A page that everybody can open. It shows whether the devices and islands that you choose are online and open. Use it for a screen on the wall, or put it into another website."
        />
        {isDemo && <p className="text-sm text-muted">{errors.demo_account.sentence}</p>}
        {query.isLoading && <Skeleton className="h-32 w-full rounded-control" />}
        {query.data !== undefined && <Switch settings={query.data} />}
        <ListFailure query={query} of="status page" />
      </Card>
      {query.data !== undefined && (
        <>
          <ChosenDevices ids={query.data.devices} />
          <ChosenIslands ids={query.data.islands} />
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
          label="Show my status page to everybody"
          hint="The page shows your username. Of your devices and islands it only shows what is public anyway."
          checked={isOn}
          onChange={({ target }) => changing.mutate({ isOn: target.checked })}
        />
        <FormError>{failureText(changing.error)}</FormError>
      </div>
      {isOn && (
        <div className="flex flex-col gap-3">
          <CodeBlock label="Address" text={address} />
          <div>
            <a
              href={paths.statusPage(username)}
              target="_blank"
              rel="noopener"
              className={buttonStyles({ variant: 'outline', size: 'sm' })}
            >
              <ExternalLink aria-hidden />
              Open the page
            </a>
          </div>
        </div>
      )}
      <TitleForm title={title} username={username} />
    </>
  )
}
