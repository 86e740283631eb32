import { type ReactNode, useState } from 'react'
import Rocket from 'virtual:icon/rocket'
import Satellite from 'virtual:icon/satellite'
import { DeviceLink } from '../../devices/device-link.tsx'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardHeader } from '../../ui/card.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorLine } from '../../ui/error-line.tsx'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Input } from '../../ui/input.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../ui/menu.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { PasswordInput } from '../../ui/text-field.tsx'
import { RadioCard } from '../../ui/radio-card.tsx'
import { SelectField } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Table, TableCell, TableRow } from '../../ui/table.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useToast } from '../../ui/use-toast.ts'

/** Every component in every state, for visual review. Only in development builds. */
export function DesignPage() {
  usePageTitle('Design')
  return (
    <>
      <PageHeader title="Design" lead="The colours, the type and the components." />
      <DesignTokens />
      <DesignControls />
      <DesignContents />
      <DesignOverlays />
    </>
  )
}

const colors = {
  Ground: ['ground', 'panel', 'raised', 'hover', 'veil'],
  Text: ['ink', 'muted', 'faint'],
  Lines: ['line', 'line-strong', 'edge'],
  Accent: ['accent', 'accent-strong', 'accent-soft', 'on-accent', 'island', 'island-soft'],
  Danger: ['danger', 'danger-fill', 'danger-fill-strong', 'danger-soft', 'on-danger'],
  Status: ['online', 'offline', 'unknown'],
} as const
const textSizes = ['xs', 'sm', 'base', 'lg', 'title', 'heading', 'hero'] as const
const spacesPx = [4, 8, 12, 16, 20, 24, 32, 40, 56] as const
const boxes = [
  ...['mark', 'control', 'card'].map((radius) => ({
    name: radius,
    style: { borderRadius: `var(--radius-${radius})` },
  })),
  ...['raised', 'glow'].map((shadow) => ({
    name: `shadow ${shadow}`,
    style: { boxShadow: `var(--shadow-${shadow})` },
  })),
  { name: 'focus ring', style: { outline: '2px solid var(--color-accent)', outlineOffset: 2 } },
]

function DesignTokens() {
  return (
    <>
      <DesignSection title="Colours">
        {Object.entries(colors).map(([group, names]) => (
          <DesignRow key={group}>
            {names.map((name) => (
              <figure key={name} className="flex flex-col gap-2 text-xs text-muted">
                <div
                  className="rounded-control border border-line-strong"
                  style={{ background: `var(--color-${name})`, width: '8rem', height: '3.5rem' }}
                />
                <figcaption>{name}</figcaption>
              </figure>
            ))}
          </DesignRow>
        ))}
      </DesignSection>
      <DesignSection title="Type scale">
        {textSizes.map((size) => (
          <p
            key={size}
            style={{
              fontSize: `var(--text-${size})`,
              lineHeight: `var(--text-${size}--line-height)`,
              fontFamily: ['title', 'heading', 'hero'].includes(size)
                ? 'var(--font-display)'
                : undefined,
            }}
          >
            {size}: islands above a blue world, 0123456789
          </p>
        ))}
        <p className="font-mono">mono: curl --fail-with-body</p>
        <p className="text-sm" data-numeric>
          tabular figures: 111.111 and 888.888 are as wide
        </p>
      </DesignSection>
      <DesignSection title="Spacing">
        <DesignRow>
          {spacesPx.map((space) => (
            <figure key={space} className="flex flex-col gap-2 text-xs text-muted">
              <div className="bg-accent" style={{ width: space, height: space }} />
              <figcaption>{space} px</figcaption>
            </figure>
          ))}
        </DesignRow>
      </DesignSection>
      <DesignSection title="Corners, elevation and the focus ring">
        <DesignRow>
          {boxes.map(({ name, style }) => (
            <div key={name} className="rounded-card bg-raised p-6 text-sm" style={style}>
              {name}
            </div>
          ))}
        </DesignRow>
      </DesignSection>
    </>
  )
}

const variants = ['default', 'secondary', 'outline', 'ghost', 'link', 'destructive'] as const
const sizes = ['sm', 'default', 'lg'] as const
const fields = [
  { label: 'Filled in', optional: true, value: 'My Node' },
  { label: 'Wrong', error: 'Enter valid lat/lon', value: '12,5' },
  { label: 'Disabled', disabled: true, value: 'Not now' },
]

function DesignControls() {
  return (
    <>
      <DesignSection title="Buttons">
        {variants.map((variant) => (
          <DesignRow key={variant}>
            {sizes.map((size) => (
              <Button key={size} variant={variant} size={size}>
                {variant}, {size}
              </Button>
            ))}
            <Button variant={variant}>
              <Rocket aria-hidden />
              With an icon
            </Button>
            <Button variant={variant} size="icon" aria-label={`Icon, ${variant}`}>
              <Rocket aria-hidden />
            </Button>
            <Button variant={variant} busy>
              Busy
            </Button>
            <Button variant={variant} disabled>
              Disabled
            </Button>
          </DesignRow>
        ))}
        <DesignRow>
          <CopyButton text="Astropelago" label="Copy" />
        </DesignRow>
      </DesignSection>
      <DesignSection title="Forms">
        <div className="flex max-w-md flex-col gap-5">
          <Field label="Empty" hint="A hint says what is expected.">
            {(wiring) => <Input {...wiring} placeholder="Placeholder" />}
          </Field>
          {fields.map(({ value, disabled = false, ...look }) => (
            <Field key={look.label} {...look}>
              {(wiring) => <Input {...wiring} disabled={disabled} defaultValue={value} />}
            </Field>
          ))}
          <Field label="Password">
            {(wiring) => <PasswordInput {...wiring} defaultValue="correct horse" />}
          </Field>
          <SelectField
            label="One of several"
            options={['Every status', 'Online'].map((name) => ({ value: name, name }))}
            onChange={() => undefined}
          />
          <Checkbox label="A box to tick" hint="What ticking it does." defaultChecked />
          <Checkbox label="Another one" />
          <fieldset className="flex flex-col gap-2">
            <legend className="sr-only">One of two</legend>
            <RadioCard name="design" defaultChecked>
              Chosen
            </RadioCard>
            <RadioCard name="design">Not chosen</RadioCard>
          </fieldset>
          <FormError>Enter username and password</FormError>
        </div>
      </DesignSection>
    </>
  )
}

const statuses = ['online', 'offline', 'unknown'] as const
const longLabel = 'A label of sixty-four characters, which has to stay inside its b'

function DesignContents() {
  return (
    <>
      <DesignSection title="Status and people">
        <DesignRow>
          {statuses.map((status) => (
            <StatusBadge key={status} status={status} />
          ))}
          <Avatar username="nova" image={null} hue={null} />
          <Avatar username="nova" image={null} hue={300} size="large" />
          <DeviceLink link="https://nova.example" />
          <DeviceLink link={null} />
        </DesignRow>
      </DesignSection>
      <DesignSection title="Cards, tables and tabs">
        <Card>
          <CardHeader title="A card" description="With a description and an action.">
            <Button variant="outline" size="sm">
              Action
            </Button>
          </CardHeader>
          <Table
            caption="Devices"
            columns={[{ name: 'Label' }, { name: 'Lat', numeric: true }, { name: 'Status' }]}
          >
            {statuses.map((status) => (
              <TableRow key={status}>
                <TableCell>{longLabel}</TableCell>
                <TableCell numeric>-37.814</TableCell>
                <TableCell>
                  <StatusBadge status={status} />
                </TableCell>
              </TableRow>
            ))}
          </Table>
        </Card>
        <Tabs
          label="Systems"
          tabs={[
            { name: 'Linux', content: <CodeBlock label="command" text="crontab -e" /> },
            { name: 'macOS', content: <p>The second tab’s content.</p> },
          ]}
        />
      </DesignSection>
      <DesignSection title="Empty, loading, failed">
        <EmptyState icon={<Satellite aria-hidden />} title="No devices yet">
          Register one, and it stands here.
        </EmptyState>
        <DesignRow>
          <Spinner />
          <Skeleton className="h-4 w-64 rounded-mark" />
        </DesignRow>
        <ErrorLine onRetry={() => undefined}>The devices could not be loaded.</ErrorLine>
        <ErrorLine onRetry={() => undefined} busy>
          The devices could not be loaded.
        </ErrorLine>
      </DesignSection>
    </>
  )
}

function DesignOverlays() {
  const showToast = useToast()
  const [openDialog, setOpenDialog] = useState<'narrow' | 'wide'>()
  return (
    <DesignSection title="Dialogs, menus and toasts">
      <DesignRow>
        <Button variant="outline" onClick={() => setOpenDialog('narrow')}>
          Open a dialog
        </Button>
        <Button variant="outline" onClick={() => setOpenDialog('wide')}>
          Open a wide dialog
        </Button>
        <Menu trigger={<Button variant="outline">Open a menu</Button>}>
          <MenuLabel>Signed in as nova</MenuLabel>
          <MenuItem>An item</MenuItem>
          <MenuSeparator />
          <MenuItem disabled>A disabled item</MenuItem>
        </Menu>
        <Button variant="outline" onClick={() => showToast({ title: 'Saved' })}>
          Show a toast
        </Button>
        <Button
          variant="outline"
          onClick={() =>
            showToast({ title: 'Not saved', description: 'Try again.', tone: 'failure' })
          }
        >
          Show a failure
        </Button>
      </DesignRow>
      <Dialog
        open={openDialog !== undefined}
        onOpenChange={(open) => {
          if (!open) setOpenDialog(undefined)
        }}
        title="A dialog"
        description="It says what it is for."
        wide={openDialog === 'wide'}
      >
        <Button onClick={() => setOpenDialog(undefined)}>Done</Button>
      </Dialog>
    </DesignSection>
  )
}

function DesignSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-5 border-t border-line pt-8">
      <h2 className="text-title font-semibold">{title}</h2>
      {children}
    </section>
  )
}

function DesignRow({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-4">{children}</div>
}
