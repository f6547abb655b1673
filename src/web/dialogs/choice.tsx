import { type OptionsFilter, Select, type SelectProps } from '@mantine/core'

export type { OptionsFilter }

type ChoiceProps = Omit<SelectProps, 'searchable' | 'allowDeselect'>

/** One of many, found by typing; only what can be cleared can be left open. */
export function Choice({ clearable = false, ...more }: ChoiceProps) {
  return <Select {...more} searchable clearable={clearable} allowDeselect={clearable} />
}
