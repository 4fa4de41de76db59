"""Texts of screenshots of code, and of what programs report when they fail."""

from __future__ import annotations

CODES = {
    "py_except": """try:
    row = await fetch(key)
except TimeoutError as error:
    log.warning("slow: %s", error)
    raise
except (KeyError, ValueError):
    row = None
finally:
    await close()""",
    "py_class": """class QuotaError(Exception):
    '''Raised when the quota is used up.'''

class NetworkError(QuotaError):
    pass

def check(left):
    if not left:
        raise QuotaError""",
    "js_throw": """export function parse(input) {
  if (!input) {
    throw new Error('empty input');
  }
  try {
    return JSON.parse(input);
  } catch (err) {
    console.error(err);
    throw new SyntaxError('bad json');
  }
}""",
    "rust": """fn open(path: &Path) -> Result<File, io::Error> {
    match File::open(path) {
        Ok(file) => Ok(file),
        Err(error) => Err(io::Error::new(error.kind(), "cannot open")),
    }
}""",
    "cs": """try
{
    await client.SendAsync(message);
}
catch (SmtpException ex)
{
    logger.LogError(ex, "send failed");
    throw new MailFailedException(ex.Message);
}""",
    "sh": """set -euo pipefail
if ! curl -fsS "$URL" > out.json; then
  echo "error: download failed" >&2
  exit 1
fi
trap 'echo failed' ERR""",
    "ocr": """def pay(order):
if order.total <=0:
raise InvalidOrderError('total')
try:
gateway.charge(order)
except GatewayError as e:
logger.error(e)
raise PaymentFailed from e""",
    "short": """except Exception as e:
    raise RuntimeError("failed") from e""",
    "zh_comment": """# 余额不足时抛出异常
def withdraw(account, amount):
    if account.balance < amount:
        raise InsufficientFundsError("余额不足")
    account.balance -= amount""",
    "editor_ui": """errors.py - myapp - Visual Studio Code
File Edit View
errors.py x
class AppError(Exception):
    pass

def fail(msg):
    raise AppError(msg)
PROBLEMS OUTPUT TERMINAL
Ln 7, Col 2 Python""",
    "test": """def test_refuses():
    with pytest.raises(ValueError) as caught:
        parse("")
    assert "empty" in str(caught.value)
    assert isinstance(caught.value, ValueError)""",
    "go": """func Load(path string) (*Config, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read config: %w", err)
	}
	return parse(data)
}""",
}
REPORTS = {
    "traceback": """Traceback (most recent call last):
  File "main.py", line 31, in <module>
    run()
  File "main.py", line 12, in run
    raise ValueError("bad port")
ValueError: bad port""",
    "node": """TypeError: Cannot read properties of undefined (reading 'id')
    at render (/app/src/list.js:14:21)
    at process (/app/node_modules/react/cjs/react.js:88:3)
Node.js v18.2.0""",
    "java": """Exception in thread "main" java.lang.NullPointerException: order
	at shop.Order.find(Order.java:42)
	at shop.Main.main(Main.java:9)
Caused by: java.io.IOException: closed
	... 3 more""",
    "npm": """npm ERR! code ELIFECYCLE
npm ERR! errno 1
npm ERR! app@1.0.0 build: `vite build`
npm ERR! Exit status 1""",
    "rustc": """error[E0382]: borrow of moved value: `name`
 --> src/main.rs:6:20
  |
4 |     let name = String::from("a");
  |         ---- move occurs here
6 |     println!("{}", name);
  |                    ^^^^ value borrowed here after move
error: aborting due to previous error""",
    "log": """2026-02-03 10:22:11,204 ERROR [worker-3] payment failed order=8812
2026-02-03 10:22:11,911 WARN retry in 5s
2026-02-03 10:22:17,002 ERROR gateway timeout
2026-02-03 10:22:17,003 INFO giving up""",
    "gcc": """main.c: In function 'main':
main.c:7:5: error: 'count' undeclared (first use in this function)
    7 |     count++;
      |     ^~~~~
make: *** [Makefile:3: main.o] Error 1""",
    "pytest": """=================== FAILURES ===================
    def test_sum():
>       assert add(1, 2) == 4
E       assert 3 == 4
test_sum.py:5: AssertionError
=========== 1 failed, 3 passed in 0.12s ===========""",
    "ts": """src/app.ts:12:7 - error TS2322: Type 'string' is not assignable to type 'number'.
12   const n: number = "a";
         ~
Found 1 error in src/app.ts:12""",
    "ocr_tb": """Traceback(most recent call last):
File "a.py",line 3,in <module>
main()
File "a.py",line 9,in main
raise RuntimeError("no disk")
RuntimeError:no disk""",
    "console": """Uncaught (in promise) Error: Request failed with status code 401
    at createError (createError.js:16)
    at settle (settle.js:17)""",
    "dialog": """程序已停止工作
发生未处理的异常 0xc0000005
请联系管理员
关闭程序""",
}
