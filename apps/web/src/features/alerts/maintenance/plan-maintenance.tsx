import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { failureText } from '../../../lib/failure-text.ts'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import { MaintenanceForm } from './maintenance-form.tsx'
import { type MaintenanceOf, usePlanMaintenance } from './maintenance-queries.ts'

const hourMs = 3_600_000
const hours = [1, 4] as const

/** Starts maintenance with one press, or plans it with a start and an end. */
export function PlanMaintenance({ of }: { of: MaintenanceOf }) {
  const [isPlanning, setIsPlanning] = useState(false)
  const planButton = useRef<HTMLButtonElement>(null)
  const showToast = useToast()
  const planning = useMutation({
    mutationFn: usePlanMaintenance(),
    onSuccess: () => showToast({ title: 'You get no new alerts for a while' }),
  })

  // The focused form is gone.
  const wasPlanning = useRef(false)
  useEffect(() => {
    if (wasPlanning.current && !isPlanning) planButton.current?.focus()
    wasPlanning.current = isPlanning
  }, [isPlanning])

  if (isPlanning) return <MaintenanceForm of={of} onClose={() => setIsPlanning(false)} />
  return (
    <>
      <div className="flex flex-wrap gap-3">
        {hours.map((count) => (
          <Button
            key={count}
            variant="outline"
            size="sm"
            busy={planning.isPending}
            onClick={() =>
              planning.mutate({
                ...of,
                until: new Date(Date.now() + count * hourMs).toISOString(),
              })
            }
          >
            {`No alerts for ${count} h`}
          </Button>
        ))}
        <Button ref={planButton} variant="ghost" size="sm" onClick={() => setIsPlanning(true)}>
          No alerts until…
        </Button>
      </div>
      <FormError>{failureText(planning.error)}</FormError>
    </>
  )
}
