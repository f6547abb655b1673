import field from './field.module.css'

type OptionSelectProps = {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly onChange: (value: string) => void
}

/** A browser's own list of few choices, without a label beside it. */
export function OptionSelect({ label, value, options, onChange }: OptionSelectProps) {
  return (
    <select
      className={field.field}
      aria-label={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  )
}
