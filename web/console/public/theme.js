// Runs before the first paint, so that a remembered dark theme does not flash light. A file and not inline: script-src 'self' is enough.
;(function () {
  var mode = null
  try {
    mode = localStorage.getItem('theme-mode')
  } catch (unavailable) {
    mode = null
  }
  if (mode !== 'dark' && mode !== 'light') mode = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  document.documentElement.classList.add(mode)
})()
