import { Switch } from '@mantine/core'

type SwitchFieldProps = {
  readonly label: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}

/** Something that is so, or is not. */
export function SwitchField({ label, isOn, onChange }: SwitchFieldProps) {
  return (
    <Switch label={label} checked={isOn} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
  )
}
