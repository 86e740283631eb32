import Rocket from 'virtual:icon/rocket'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Input } from '../../ui/input.tsx'
import { PasswordInput } from '../../ui/text-field.tsx'
import { RadioCard } from '../../ui/radio-card.tsx'
import { Select } from '../../ui/select.tsx'
import { DesignRow, DesignSection } from './design-section.tsx'

const variants = ['default', 'secondary', 'outline', 'ghost', 'link', 'destructive'] as const
const sizes = ['sm', 'default', 'lg'] as const

/** Buttons and fields in every state that needs no pointer or focus. */
export function DesignControls() {
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
          <Field label="Filled in" optional>
            {(wiring) => <Input {...wiring} defaultValue="My Node" />}
          </Field>
          <Field label="Wrong" error="Enter valid lat/lon">
            {(wiring) => <Input {...wiring} defaultValue="12,5" />}
          </Field>
          <Field label="Disabled">
            {(wiring) => <Input {...wiring} disabled defaultValue="Not now" />}
          </Field>
          <Field label="Password">
            {(wiring) => <PasswordInput {...wiring} defaultValue="correct horse" />}
          </Field>
          <Field label="One of several">
            {(wiring) => (
              <Select {...wiring}>
                <option>Every status</option>
                <option>Online</option>
              </Select>
            )}
          </Field>
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
