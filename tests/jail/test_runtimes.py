"""Under the filter on system calls the runtimes of our languages make threads and processes as everywhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from botyard.jail import bot_cache
from botyard.jail.building import PLACE, built_folder
from botyard.jail.launch import Launch
from botyard.jail.levels import obstacle
from botyard.jail.limits import Level, Limits
from botyard.jail.manifest import manifest_of
from tests.conftest import need
from tests.jail.drawing import drawn
from tests.jail.output import output_of
from tests.waiting import finished

# Each adds up 1 … 8 in as many ways at once as its language has, and prints the sum.
PROGRAMS = {
    "python": """
        --- main.py
        import asyncio, subprocess
        from concurrent.futures import ThreadPoolExecutor
        from multiprocessing import Pool, Process, Queue, Value, get_context
        from multiprocessing.shared_memory import SharedMemory

        def same(number):
            return number

        def hand_in(numbers, queue, total):
            for number in numbers:
                queue.put(number)
            with total.get_lock():
                total.value += sum(numbers)

        def write(name):
            shared = SharedMemory(name)
            shared.buf[0] = 36
            shared.close()

        async def by_events():
            shell = await asyncio.create_subprocess_exec("echo", "15", stdout=subprocess.PIPE)
            answer = lambda _, writer: (writer.write(b"21"), writer.close())
            server = await asyncio.start_unix_server(answer, "/tmp/door")
            reader, writer = await asyncio.open_unix_connection("/tmp/door")
            told, _ = await shell.communicate()
            waited = await asyncio.to_thread(int, await reader.read())
            writer.close()
            server.close()
            return int(told) + waited

        def main():
            found = [asyncio.run(by_events())]
            with Pool(2) as pool:
                found.append(sum(pool.map(same, range(1, 9))))
            queue, total = Queue(), Value("i", 0)
            workers = [Process(target=hand_in, args=(part, queue, total)) for part in ([1, 2, 3, 4], [5, 6, 7, 8])]
            for worker in workers: worker.start()
            found.append(sum(queue.get() for _ in range(8)))
            for worker in workers: worker.join()
            found.append(total.value)
            shared = SharedMemory(create=True, size=64)
            child = get_context("spawn").Process(target=write, args=(shared.name,))
            child.start(); child.join()
            found.append(shared.buf[0])
            shared.close(); shared.unlink()
            with ThreadPoolExecutor(4) as threads:
                found.append(sum(threads.map(same, range(1, 9))))
            found.append(int(subprocess.run("echo $((30 + 6))", shell=True, capture_output=True).stdout))
            print(*set(found))

        if __name__ == "__main__":
            main()
    """,
    "javascript": """
        --- main.js
        const { Worker, isMainThread, parentPort, workerData } = require("worker_threads");
        const { execSync } = require("child_process");
        const total = (numbers) => numbers.reduce((sum, number) => sum + number, 0);
        if (!isMainThread) parentPort.postMessage(total(workerData));
        else {
            const parts = [[1, 2, 3], [4, 5, 6, 7]].map((workerData) => new Promise((done) =>
                new Worker(__filename, { workerData }).on("message", done)));
            Promise.all(parts).then((sums) => console.log(total([...sums, Number(execSync("echo 8"))])));
        }
    """,
    "java": """
        --- Main.java
        import java.util.List;
        import java.util.concurrent.*;
        import java.util.stream.IntStream;
        public class Main {
            public static void main(String[] words) throws Exception {
                ExecutorService pool = Executors.newFixedThreadPool(4);
                List<Callable<Integer>> parts = List.of(() -> 1, () -> 2, () -> 3, () -> 4);
                int sum = 0;
                for (Future<Integer> part : pool.invokeAll(parts)) sum += part.get();
                pool.shutdown();
                sum += IntStream.rangeClosed(5, 7).parallel().sum();
                Process child = new ProcessBuilder("echo", "8").start();
                sum += Integer.parseInt(new String(child.getInputStream().readAllBytes()).trim());
                System.gc();
                System.out.println(sum);
            }
        }
    """,
    "c++": """
        --- main.cpp
        #include <condition_variable>
        #include <cstdio>
        #include <mutex>
        #include <thread>
        #include <vector>
        int main() {
            std::mutex lock;
            std::condition_variable changed;
            std::vector<std::thread> threads;
            int sum = 0, ready = 0;
            for (int number = 1; number < 8; number++) threads.emplace_back([&, number] {
                std::unique_lock<std::mutex> held(lock);
                changed.wait(held, [&] { return ready == number - 1; });  // one after the other
                sum += number, ready = number;
                changed.notify_all();
            });
            for (auto &thread : threads) thread.join();
            FILE *child = popen("echo 8", "r");
            int more = 0;
            if (fscanf(child, "%d", &more) == 1) sum += more;
            pclose(child);
            std::printf("%d\\n", sum);
        }
    """,
    "go": """
        --- main.go
        package main
        import ("fmt"; "os/exec"; "sync"; "time")
        func main() {
            var sum, more int
            var lock sync.Mutex
            var all sync.WaitGroup
            for number := 1; number < 8; number++ {
                all.Add(1)
                go func(number int) {
                    defer all.Done()
                    time.Sleep(time.Millisecond)
                    lock.Lock()
                    sum += number
                    lock.Unlock()
                }(number)
            }
            all.Wait()
            told, _ := exec.Command("echo", "8").Output()
            fmt.Sscan(string(told), &more)
            fmt.Println(sum + more)
        }
    """,
    "rust": """
        --- main.rs
        use std::{process::Command, sync::mpsc, thread};
        fn main() {
            let (sender, receiver) = mpsc::channel();
            for number in 1..8 {
                let sender = sender.clone();
                thread::spawn(move || sender.send(number).unwrap());
            }
            drop(sender);
            let told = Command::new("echo").arg("8").output().unwrap().stdout;
            let more: i32 = String::from_utf8(told).unwrap().trim().parse().unwrap();
            println!("{}", receiver.iter().sum::<i32>() + more);
        }
    """,
    "lua": """
        --- main.lua
        local child, sum = io.popen("echo 8"), 0
        for number = 1, 7 do
            local part = coroutine.wrap(function() coroutine.yield(number) end)
            sum = sum + part()
        end
        print(sum + tonumber(child:read("a")))
        child:close()
    """,
    "shell": """
        --- main.sh
        #!/bin/bash
        for number in 1 2 3 4 5 6 7; do echo $number >/tmp/$number & done
        wait
        coproc { echo 8; read -r; }
        read -r more <&"${COPROC[0]}"
        echo >&"${COPROC[1]}"
        echo $(($(cat /tmp/[1-7] <(echo "$more") | paste -s -d +)))
    """,
}


async def sum_of(bot: Path) -> str:
    """Builds a program and runs it, both caged; what it prints."""
    manifest = manifest_of(bot)
    for command in (*manifest.build, manifest.run):
        if "/" not in command[0]:
            need(command[0])
    built = await built_folder(manifest, Level.CAGED)
    assert isinstance(built, Path), built
    launch = Launch(manifest.run, PLACE, Level.CAGED, Limits(), shows={PLACE: built})
    return await output_of(launch)


@pytest.mark.parametrize("language", PROGRAMS)
def test_a_language_has_its_threads_and_processes(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    if trouble := obstacle(Level.CAGED):
        pytest.skip(trouble)
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setattr(bot_cache, "usable_home", lambda: home)
    assert finished(sum_of(drawn(tmp_path / "bot", PROGRAMS[language]))) == "36\n"
