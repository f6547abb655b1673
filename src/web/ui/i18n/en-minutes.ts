import type { deMinutes } from './de-minutes.ts'

export const enMinutes: typeof deMinutes = {
  minutes: {
    title: 'Working time',
    before: 'Previous month',
    after: 'Next month',
    pdf: 'Print as PDF',
    csv: 'Download CSV',
    none: 'Nobody worked in this month.',
    sums: '{{planned}} planned · {{worked}} worked · {{days}}',
    days_one: '{{count}} day',
    days_other: '{{count}} days',
    exceededDays_one: '{{count}} day over a limit',
    exceededDays_other: '{{count}} days over a limit',
    open_one: '{{count}} appointment without an outcome',
    open_other: '{{count}} appointments without an outcome',
    day: 'Day',
    times: 'From–to',
    planned: 'Planned',
    worked: 'Worked',
    practical: 'Practical',
    total: 'Total',
    breaks: 'Breaks',
    remarks: 'Remarks',
    exceeded: {
      practical_daily: 'Practical over {{practical}}',
      total_daily: 'Total over {{total}}',
      school_daily: 'Over {{units}} units a day',
      school_weekly: 'Over the weekly limit',
      break_missing: 'Breaks too short',
      run_too_long: 'Too long without a break',
    },
    override: {
      daily: 'Daily override, booked by {{name}}',
      weekly: 'Weekly override, booked by {{name}}',
    },
  },
}
