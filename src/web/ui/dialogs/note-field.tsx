import { NOTES_LENGTH } from '../../../domain/ranges.ts'
import field from '../field.module.css'
import { useLength } from '../use-length.ts'

type NoteFieldProps = {
  readonly label: string
  readonly value: string
  readonly className?: string | undefined
  readonly onChange: (note: string) => void
}

/** A text field for the note of a row; its label is shown as the placeholder. */
export function NoteField({ label, value, className = '', onChange }: NoteFieldProps) {
  const length = useLength<HTMLInputElement>(value, NOTES_LENGTH.max)
  return (
    <input
      className={`${field.field} ${className}`}
      aria-label={label}
      placeholder={label}
      value={value}
      ref={length.field}
      aria-invalid={length.fault !== undefined}
      title={length.fault}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
