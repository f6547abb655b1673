import { useQuery } from '@tanstack/react-query'
import type { LocalDate } from '../../domain/local-time.ts'
import { plansOfSchool } from '../data/plans.ts'

/** Returns the newest plan of some days that is not booked, and the state of its request. */
export function usePlan(first: LocalDate, last: LocalDate) {
  const { data: plans, error, isError, refetch } = useQuery(plansOfSchool)
  const plan = plans?.find(({ from, to, state }) => from <= last && to >= first && state !== 'applied')
  return { plan, isLoaded: plans !== undefined, error, isError, refetch }
}
