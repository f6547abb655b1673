import { Switch } from '@mantine/core'

type SwitchFieldProps = {
  readonly label: string
  /** The accessible name, if the label alone is not enough; it contains the label. */
  readonly name?: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}

export function SwitchField({ label, name = label, isOn, onChange }: SwitchFieldProps) {
  return (
    <Switch
      label={label}
      aria-label={name}
      checked={isOn}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  )
}
