import field from './field.module.css'

type OptionSelectProps = {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly onChange: (value: string) => void
}

/** The browser's own select for a few options, without a visible label. */
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
