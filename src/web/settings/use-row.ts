import { useState } from 'react'
import { differingFields } from '../ui/changed-fields.ts'
import { useUnsaved } from '../ui/unsaved.tsx'

type RowOptions<Row, Form, Change> = {
  readonly formOf: (row: Row) => Form
  /** Returns the values that the form stands for, under the names of its fields. */
  readonly valuesOf: (form: Form) => Change
  /** Whether the form can be saved. */
  readonly isWhole: (form: Form) => boolean
  /** Rejects if the service rejects the change. */
  readonly onChange: (change: Partial<Change>) => Promise<unknown>
}

/**
 * Returns a row's form and the functions that save or revert its input. Input stays until the row has its values, so that neither
 * a failure nor another change of the row loses it.
 */
export function useRow<Row extends object, Form extends object, Change extends object>(
  row: Row,
  { formOf, valuesOf, isWhole, onChange }: RowOptions<Row, Form, Change>,
) {
  const [typed, setTyped] = useState<Partial<Form>>({})
  const [sent, setSent] = useState<Partial<Change>>({})
  const [seen, setSeen] = useState(row)
  const form = { ...formOf(row), ...typed }
  if (seen !== row) {
    setSeen(row)
    const changed = differingFields(valuesOf(form), row)
    // Saved fields show the service's values again; newer input stays.
    setTyped(Object.fromEntries(Object.entries(typed).filter(([name]) => name in changed)) as Partial<Form>)
  }
  const change = differingFields(valuesOf(form), { ...row, ...sent })
  const isChanged = Object.keys(change).length > 0
  const canSave = isChanged && isWhole(form)
  // A save that is under way may still fail.
  useUnsaved(() => isChanged || Object.keys(sent).length > 0)
  const send = (part: Partial<Change>) => {
    setSent((before) => ({ ...before, ...part }))
    const end = () => setSent((before) => differingFields(before, part))
    onChange(part).then(end, end)
  }
  return {
    form,
    canSave,
    edit: (part: Partial<Form>) => setTyped({ ...typed, ...part }),
    revert: () => setTyped({}),
    save: () => canSave && send(change),
    send,
  }
}
