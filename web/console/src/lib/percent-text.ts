/** A share as percent: `–` for never, `< 0.1 %` for almost never. */
export function percentText(probability: number): string {
  if (probability === 0) return '–'
  const percent = probability * 100
  if (percent < 0.1) return '< 0.1 %'
  return `${percent > 99.9 && percent < 100 ? '> 99.9' : Number(percent.toFixed(1))} %`
}
