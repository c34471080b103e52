type Measured = { readonly kind: string; readonly claude: number; readonly mistral: number; readonly text: string }

/**
 * Ordinary texts of the kinds that models are asked and answer with; written for this test. With the tokens that two vocabularies without
 * a package here make of them: @anthropic-ai/tokenizer 0.0.4, mistral-common 1.13.1 (tekken 240911).
 */
export const corpus: readonly Measured[] = [
  {
    kind: 'English prose',
    claude: 172,
    mistral: 171,
    text: `The harbour was quiet that morning, and the old ferry lay against the quay as if it had never meant to leave. Margaret counted the
passengers twice, wrote the number in the margin of her notebook, and closed it with a rubber band. Nobody spoke. A gull walked along the railing,
stopped, and looked at the sandwich in the hand of a boy who was pretending to read. When the engine finally started, the whole deck began to
tremble, and the coffee in the paper cups drew small circles that ran from one side to the other. "We are late again," said the captain, although
there was no one near enough to hear him. He did not sound sorry. The island came into view an hour later, low and green, with a church tower that
leaned a little towards the sea.`,
  },
  {
    kind: 'English explanation',
    claude: 176,
    mistral: 171,
    text: `Sure! A load balancer distributes incoming requests across several servers, so that no single machine becomes a bottleneck. There are three
common strategies:

1. **Round robin** sends each new request to the next server in the list. It is simple, but ignores how busy a server is.
2. **Least connections** picks the server with the fewest open connections, which works well when requests differ in length.
3. **Consistent hashing** maps a key, such as the user's session, to a server; adding or removing a machine moves only a fraction of the keys.

In practice you'll also want health checks, timeouts, and retries with a budget. Otherwise a slow backend can take down everything in front of it.
Let me know if you'd like an example configuration for nginx or Envoy!`,
  },
  {
    kind: 'TypeScript code',
    claude: 223,
    mistral: 218,
    text: `export async function loadPage(db: Database, query: PageQuery): Promise<Page<Row>> {
  const limit = Math.min(query.limit ?? 20, 100)
  const rows = await db
    .selectFrom('orders')
    .select(['id', 'customer_id', 'total', 'created_at'])
    .where('status', '=', query.status)
    .orderBy('created_at', 'desc')
    .limit(limit + 1)
    .execute()
  const hasMore = rows.length > limit
  return { rows: rows.slice(0, limit), hasMore, next: hasMore ? rows[limit - 1]?.id : undefined }
}

function formatTotal(cents: number, currency = 'EUR'): string {
  if (!Number.isInteger(cents)) throw new RangeError(\`not a whole amount: \${cents}\`)
  return new Intl.NumberFormat('de-DE', { style: 'currency', currency }).format(cents / 100)
}`,
  },
  {
    kind: 'Python code',
    claude: 168,
    mistral: 165,
    text: `import csv
from collections import defaultdict
from pathlib import Path


def summarize(path: Path) -> dict[str, float]:
    """Return the average temperature per station."""
    totals = defaultdict(float)
    counts = defaultdict(int)
    with path.open(newline="") as handle:
        for row in csv.DictReader(handle):
            if not row["temperature"]:
                continue
            totals[row["station"]] += float(row["temperature"])
            counts[row["station"]] += 1
    return {name: totals[name] / counts[name] for name in totals}


if __name__ == "__main__":
    for station, average in sorted(summarize(Path("weather.csv")).items()):
        print(f"{station:<20} {average:6.2f}")`,
  },
  {
    kind: 'JSON',
    claude: 140,
    mistral: 161,
    text: `{"location":{"city":"Lisbon","country":"PT","coordinates":{"latitude":38.7223,"longitude":-9.1393}},"units":"metric","days":[{"date":"2026-03-14",
"high":19.4,"low":11.2,"conditions":"partly cloudy","wind":{"speed":14,"direction":"NW"}},{"date":"2026-03-15","high":20.1,"low":12.0,
"conditions":"sunny","wind":{"speed":9,"direction":"N"}}],"source":"national weather service","cached":false,"request_id":"req_8f14e45f"}`,
  },
  {
    kind: 'Chinese prose and answer',
    claude: 403,
    mistral: 384,
    text: `清晨的街道还没有完全醒来，卖豆浆的小店已经亮起了灯。老板一边擦桌子，一边和熟客聊着昨天的球赛。我点了一碗热豆浆和两根油条，坐在靠窗的位置，
看着外面的行人慢慢多了起来。有人骑着自行车匆匆赶路，有人牵着孩子的手，耐心地回答他没完没了的问题。这座城市每天都在变化，可是这样的早晨似乎从来没有变过。
吃完早饭，我把笔记本拿出来，写下今天要做的三件事：第一，把昨天没有写完的报告改好；第二，给父母打一个电话；第三，去图书馆还书。

要解决这个问题，可以先检查数据库连接池的配置。默认情况下，连接池最多允许 10 个连接，如果同时有大量请求，后面的请求就会一直等待，直到超时。
建议按照下面的步骤排查：
1. 打开日志，确认是否出现 "connection timeout" 之类的错误；
2. 使用 SHOW PROCESSLIST 查看当前正在执行的语句；
3. 把 max_connections 调整到合适的数值，并重启服务。
如果问题仍然存在，请检查代码中是否有没有关闭的事务，这通常是连接泄漏的主要原因。`,
  },
  {
    kind: 'Japanese prose',
    claude: 167,
    mistral: 115,
    text: `駅前の喫茶店は、昼休みになるといつも混んでいる。窓際の席に座ると、向かいのビルの工事がよく見えた。注文したコーヒーが運ばれてくるまでの間、
私は昨日届いた手紙をもう一度読み返した。友人は来月、海外へ引っ越すことになったそうだ。久しぶりに会って話がしたいと書いてあったので、週末に時間を作ることにした。`,
  },
  {
    kind: 'Korean prose',
    claude: 153,
    mistral: 68,
    text: `오늘은 아침부터 비가 내려서 하루 종일 집에 있었습니다. 오랜만에 책장을 정리하다가 학생 때 쓰던 일기장을 찾았습니다. 그때는 작은 일에도 크게 기뻐하고
또 크게 슬퍼했던 것 같습니다. 저녁에는 친구에게 전화를 걸어 주말에 같이 영화를 보기로 약속했습니다.`,
  },
  {
    kind: 'German prose',
    claude: 144,
    mistral: 105,
    text: `Der Zug nach München hatte wie so oft Verspätung, und die Leute auf dem Bahnsteig begannen, sich miteinander zu unterhalten. Eine ältere Frau
erzählte von ihrem Garten, in dem in diesem Jahr die Äpfel besonders früh reif geworden seien. Neben ihr stand ein Student, der seine Prüfung am Nachmittag nicht
versäumen durfte und alle zwei Minuten auf die Uhr schaute. Als endlich die Durchsage kam, klatschten einige vor Erleichterung in die Hände.`,
  },
  {
    kind: 'French prose',
    claude: 121,
    mistral: 93,
    text: `Le marché du samedi commence avant le lever du soleil. Les maraîchers déchargent leurs caisses de légumes, les poissonniers étalent la glace, et
l'odeur du pain chaud se répand déjà dans toute la rue. Ma grand-mère y allait chaque semaine avec le même panier d'osier. Elle connaissait chaque vendeur par son
prénom et ne payait jamais sans avoir goûté une olive ou un morceau de fromage.`,
  },
  {
    kind: 'Russian prose',
    claude: 158,
    mistral: 97,
    text: `Вечером ветер стих, и над озером поднялся туман. Мы сидели на старом причале и слушали, как где-то далеко лает собака. Дедушка рассказывал историю,
которую я слышал уже много раз, но каждый раз он добавлял в неё что-нибудь новое. Потом мы собрали удочки и медленно пошли домой по тёмной тропинке.`,
  },
  {
    kind: 'Markdown table and numbers',
    claude: 141,
    mistral: 177,
    text: `| Month | Orders | Revenue (USD) | Change |
|---|---:|---:|---:|
| January | 1,204 | 48,320.50 | +3.1 % |
| February | 1,178 | 46,910.00 | -2.9 % |
| March | 1,391 | 57,204.75 | +21.9 % |
| April | 1,402 | 58,011.20 | +1.4 % |

Total revenue for the four months: **210,446.45 USD**. The strongest month was *April*, see \`reports/2026-04.csv\` for details.`,
  },
  {
    kind: 'HTML',
    claude: 131,
    mistral: 127,
    text: `<section class="card" id="profile">
  <h2 class="card-title">Your profile</h2>
  <form action="/profile" method="post">
    <label for="email">Email address</label>
    <input id="email" name="email" type="email" required autocomplete="email" />
    <button type="submit" class="button button-primary">Save changes</button>
  </form>
  <p class="hint">We will never share your address. <a href="https://example.com/privacy">Read more</a></p>
</section>`,
  },
  {
    kind: 'SQL',
    claude: 89,
    mistral: 86,
    text: `select c.name, count(*) as orders, sum(o.total) as revenue
from customers c
join orders o on o.customer_id = c.id
where o.created_at >= '2026-01-01' and o.status in ('paid', 'shipped')
group by c.name
having sum(o.total) > 1000
order by revenue desc
limit 25;`,
  },
]
