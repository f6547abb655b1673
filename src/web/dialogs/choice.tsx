import { type OptionsFilter, Select, type SelectProps } from '@mantine/core'

type ChoiceProps = Omit<SelectProps, 'searchable' | 'allowDeselect' | 'filter'> & {
  /** Whether what has been typed finds a value; if not given, any part of a label does. */
  readonly isFound?: (value: string, typed: string) => boolean
}

/** One of many, found by typing; only what can be cleared can be left open. */
export function Choice({ clearable = false, isFound, ...more }: ChoiceProps) {
  return (
    <Select
      {...more}
      {...(isFound && { filter: filterBy(isFound) })}
      searchable
      clearable={clearable}
      allowDeselect={clearable}
    />
  )
}

function filterBy(isFound: (value: string, typed: string) => boolean): OptionsFilter {
  return ({ options, search, limit }) =>
    options.filter((option) => 'value' in option && isFound(option.value, search)).slice(0, limit)
}
